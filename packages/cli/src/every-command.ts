import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** Returns a command and all commands below it, in the order of the help. */
export function everyCommand(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
