import { commandHelp } from "tillkit";
import { codeBlock, page } from "./markdown.js";

/** An option is common if at least this many commands describe it in the same words. */
const COMMON = 15;

const PLAIN_USAGE = /^Usage: tillkit[a-z -]* \[options\](?: \[command\])?\n\n/u;

/** Creates the reference page of the command line: the help of every command, each text once. */
export function cliPage(): string {
  const commands = commandHelp();
  const counts = new Map<string, number>();
  for (const { help } of commands)
    for (const option of entriesOf(sectionsOf(help).get("Options") ?? ""))
      counts.set(oneLine(option), (counts.get(oneLine(option)) ?? 0) + 1);
  const common = new Set([...counts].filter(([, count]) => count >= COMMON).map(([option]) => option));
  return page(
    "Command line",
    "`tillkit` and its commands, as `--help` describes them. The [guide](../guide/command-line.md) shows how to use them together.",
    "## Common options",
    "Each command lists the ones that it has; all have `--help`. Type the options after the command, unless its usage says otherwise.",
    codeBlock([...common].join("\n"), "text"),
    ...commands.map(({ command, help }) => `## ${command}\n\n${codeBlock(shortened(help, common), "text")}`),
  );
}

/** Returns the help without common options, and without the descriptions of other commands. */
function shortened(help: string, common: ReadonlySet<string>): string {
  const parts = [...sectionsOf(help)].flatMap(([title, text]) => {
    if (title === "") return [text.replace(PLAIN_USAGE, "")];
    if (title === "Commands") return [`Commands: ${entriesOf(text).map(firstWord).join(", ")}`];
    if (title !== "Options") return [`${title}:\n${text}`];
    const options = entriesOf(text);
    const own = options.filter((option) => !common.has(oneLine(option)));
    const shared = options
      .filter((option) => common.has(oneLine(option)))
      .map(flagOf)
      .filter((flag) => flag !== "--help");
    return [
      ...(own.length === 0 ? [] : [`Options:\n${own.join("\n")}`]),
      ...(shared.length === 0 ? [] : [`Common options: ${shared.join(", ")}`]),
    ];
  });
  return parts.join("\n\n");
}

/**
 * Returns the sections of a help text by title. The usage and the description have an empty title.
 */
function sectionsOf(help: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const block of help.split(/\n{2,}/u)) {
    const [, title = "", text = block] = /^([A-Z][a-z ]+):\n(.*)$/su.exec(block) ?? [];
    const before = sections.get(title);
    sections.set(title, before === undefined ? text : `${before}\n\n${text}`);
  }
  return sections;
}

/** Returns the entries of a section, each with its further lines. */
function entriesOf(section: string): readonly string[] {
  return section.split(/\n(?= {2}\S)/u).filter((entry) => entry !== "");
}

function oneLine(entry: string): string {
  return entry.trim().replace(/\n\s*/gu, " ").replace(/ {2,}/u, "  ");
}

function firstWord(entry: string): string {
  return entry.trim().split(" ")[0] ?? "";
}

/** Returns the long name of an option: `--help` of `-h, --help`. */
function flagOf(option: string): string {
  return /--[a-z-]+/u.exec(option)?.[0] ?? "";
}
