import { everyCommand } from "./every-command.js";
import { inertProgram } from "./inert-program.js";

/** A command and the help text that it prints. */
export interface CommandHelp {
  /** The command as typed: `tillkit apps create`. */
  readonly command: string;
  readonly help: string;
}

const WIDTH = 110;

/**
 * Returns the help of every command, in the order of the program's own help, for documentation.
 *
 * @returns one entry per command.
 * @example
 * ```ts
 * import { commandHelp } from "tillkit";
 *
 * for (const { command, help } of commandHelp()) console.log(`${command}\n${help}`);
 * ```
 */
export function commandHelp(): readonly CommandHelp[] {
  return everyCommand(inertProgram()).map((command) => {
    let help = "";
    command
      .configureOutput({
        getOutHelpWidth: () => WIDTH,
        writeOut: (text) => {
          help += text;
        },
      })
      .outputHelp();
    const parents: string[] = [];
    for (let one = command.parent; one !== null; one = one.parent) parents.unshift(one.name());
    return { command: [...parents, command.name()].join(" "), help: help.trimEnd() };
  });
}
