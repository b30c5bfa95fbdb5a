import { commandHelp } from "tillkit";
import { codeBlock, page } from "./markdown.js";

/** Creates the reference page of the command line: the help of every command. */
export function cliPage(): string {
  const sections = commandHelp().map(({ command, help }) => `## ${command}\n\n${codeBlock(help, "text")}`);
  return page(
    "Command line",
    "The output of `--help` for `tillkit` and each of its commands. The [guide](../guide/command-line.md) shows how to use them together.",
    ...sections,
  );
}
