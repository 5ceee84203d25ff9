"""Agents on our sessions: environments and runtimes of agent frameworks, and a tool for models that call functions.

    tool            one `bash` tool: its schema for OpenAI's and Anthropic's interfaces, and what answers the calls
    calls, report   a call, checked; what a command came to, as text for a model
    minisweagent    mini-SWE-agent's environment; works without mini-SWE-agent as well
    swerex          SWE-ReX's runtime; needs SWE-ReX (the extra `agents`)
    bash_talk       one session, talked to in SWE-ReX's words
    serving         SWE-ReX's HTTP server in front of that runtime; needs SWE-ReX
    processes       programs outside of sessions
    submission      mini-SWE-agent's way to say that a task is complete
    defaults        what the sessions of agents have in common
    masking         values of secret variables are kept out of texts

Nothing is imported here: each module only needs what its own framework needs.
"""

__all__ = ()
