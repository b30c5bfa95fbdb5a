import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { okAsync } from "neverthrow";
import { inAnyCase } from "../case-insensitive-choice.js";
import { completionScript, SHELLS } from "../completion-script.js";
import type { Context } from "../context.js";
import { examples, plainCommand } from "../settings.js";

/** Creates `tillkit completion`, which prints a script that completes commands in a shell. */
export function completionCommand({ report }: Context, program: () => CommandUnknownOpts) {
  return plainCommand("completion")
    .description("Print a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS).argParser(inAnyCase(SHELLS)))
    .addHelpText(
      "after",
      examples(
        "tillkit completion bash > ~/.local/share/bash-completion/completions/tillkit",
        "tillkit completion zsh >> ~/.zshrc",
        "tillkit completion fish > ~/.config/fish/completions/tillkit.fish",
      ),
    )
    .action((shell, options) => {
      const script = completionScript(program(), shell);
      return report(options, okAsync({ data: { shell, script }, text: script }));
    });
}
