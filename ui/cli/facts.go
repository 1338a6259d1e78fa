package cli

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"golang.org/x/term"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// facts joins --fact and --secret. A secret's value never stands on the
// command line, where every process of the machine could read it.
func (c *command) facts(ctx context.Context, f runFlags) (map[string]string, []string, error) {
	values := map[string]string{}
	for _, arg := range f.facts {
		name, value, ok := strings.Cut(arg, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, nil, usage("--fact takes NAME=VALUE")
		}
		values[name] = value
	}
	var secrets []string
	for _, arg := range f.secrets {
		name, value, err := c.secret(ctx, arg)
		if err != nil {
			return nil, nil, err
		}
		values[name] = value
		secrets = append(secrets, name)
	}
	return values, secrets, nil
}

func (c *command) secret(ctx context.Context, arg string) (name, value string, err error) {
	name, source, given := strings.Cut(arg, "=")
	name = strings.TrimSpace(name)
	if name == "" {
		return "", "", usage("--secret takes NAME, NAME=@FILE or NAME=env:VAR")
	}
	if !given {
		value, err = c.askSecret(ctx, name)
		return name, value, err
	}
	if path, ok := strings.CutPrefix(source, "@"); ok {
		b, err := os.ReadFile(path)
		if err != nil {
			return "", "", fault.Wrap(fault.InvalidUsage, err, "the file of secret "+name+" cannot be read")
		}
		if value = strings.TrimRight(string(b), "\r\n"); strings.TrimSpace(value) == "" {
			return "", "", usage("the file of secret " + name + " is empty")
		}
		return name, value, nil
	}
	if variable, ok := strings.CutPrefix(source, "env:"); ok {
		if value = c.io.Env(variable); strings.TrimSpace(value) == "" {
			return "", "", usage("the environment variable of secret " + name + " is not set")
		}
		return name, value, nil
	}
	return "", "", usage("--secret " + name + " takes no value on the command line").(*fault.Error).
		WithHint("Give --secret " + name + " alone to be asked, or " + name + "=@FILE, or " + name + "=env:VAR.")
}

// askSecret reads one line without echo. ctrl+c ends it: the signal only cancels
// ctx, and would leave the read waiting for the rest of the line.
func (c *command) askSecret(ctx context.Context, name string) (string, error) {
	if !c.io.Terminal || c.json {
		return "", usage("secret " + name + " can only be asked at a terminal").(*fault.Error).
			WithHint("Give it as " + name + "=@FILE or " + name + "=env:VAR.")
	}
	fprintf(c.io.Err, "%s (not shown): ", name)
	fd := int(c.io.In.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fault.Wrap(fault.InvalidUsage, err, "secret "+name+" cannot be asked here")
	}
	var b []byte
	read := make(chan error, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		b = line
		read <- err
	}()
	select {
	case err = <-read:
	case <-ctx.Done():
		_ = term.Restore(fd, before)
		fprintf(c.io.Err, "\n")
		return "", ctx.Err()
	}
	fprintf(c.io.Err, "\n")
	if err != nil {
		return "", fault.Wrap(fault.InvalidUsage, err, "secret "+name+" was not given")
	}
	if strings.TrimSpace(string(b)) == "" {
		return "", usage("secret " + name + " was not given")
	}
	return string(b), nil
}

func output(f runFlags) (*task.Output, error) {
	if f.output == "" && f.schema == "" {
		return nil, nil
	}
	out := &task.Output{Instructions: f.output}
	if f.schema == "" {
		return out, nil
	}
	b, err := os.ReadFile(f.schema)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "the schema "+f.schema+" cannot be read")
	}
	if !json.Valid(b) {
		return nil, fault.New(fault.InvalidOutput, "the schema "+f.schema+" is not JSON")
	}
	out.Schema = b
	return out, nil
}
