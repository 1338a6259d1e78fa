// Package model is the one client that speaks to a language model, over the
// chat completions call that hosted services, llama.cpp, Ollama and vLLM share.
// It serves the planner, the rescuer and the shaper as chat.Model, and the
// decider as decider.Completer.
//
// It contacts the configured address and no other: redirects are not followed,
// proxies of the environment are not used, nothing is reported to anybody. It
// must not know what is asked or what an answer means, must not keep a
// conversation, and must not spell a key anywhere but in the one header that
// carries it.
package model
