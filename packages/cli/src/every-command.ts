import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** A command and all below it, in the order of the help. */
export function everyCommand(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
