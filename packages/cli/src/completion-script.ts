import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";

/** The shells that {@link completionScript} supports. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
/** A supported shell. */
export type Shell = (typeof SHELLS)[number];

interface Node {
  /** The command as typed, without the program: `apps create`. Empty for the program. */
  readonly path: string;
  readonly command: CommandUnknownOpts;
  readonly children: readonly Node[];
}

/**
 * Returns a script that completes commands, options and their values in a shell.
 *
 * The script contains everything, so the shell does not start Node for a completion.
 */
export function completionScript(program: CommandUnknownOpts, shell: Shell): string {
  const nodes = flat(nodeOf(program, ""));
  if (shell === "fish") return fishScript(program.name(), nodes);
  const zsh = shell === "zsh" ? "autoload -Uz compinit bashcompinit && compinit -u && bashcompinit\n" : "";
  return zsh + bashScript(program.name(), nodes);
}

function nodeOf(command: CommandUnknownOpts, path: string): Node {
  const children = command.commands.map((one) => nodeOf(one, `${path} ${one.name()}`.trimStart()));
  return { path, command, children };
}

function flat(node: Node): readonly Node[] {
  return [node, ...node.children.flatMap(flat)];
}

function optionsOf({ command }: Node): readonly Option[] {
  return [...command.createHelp().visibleOptions(command)];
}

function takesFile({ long }: Option): boolean {
  return /-(file|dir)$/.test(long ?? "");
}

function bashScript(name: string, nodes: readonly Node[]): string {
  const below = nodes.flatMap(({ path }) => (path === "" ? [] : [`"${path}"`]));
  const words = nodes.map((node) => {
    const offered = [
      ...node.children.map(({ command }) => command.name()),
      ...optionsOf(node).flatMap(({ long }) => long ?? []),
    ];
    return `    "${node.path}") words="${[...offered, ...argumentChoices(node)].join(" ")}" ;;`;
  });
  // Two commands may have an option with the same name and different values. Usually the values are
  // the same.
  const options = new Map<string, readonly string[]>();
  for (const node of nodes)
    for (const option of optionsOf(node).filter(({ required }) => required)) {
      const offered = takesFile(option) ? "-f" : `-W "${(option.argChoices ?? []).join(" ")}"`;
      options.set(offered, [...(options.get(offered) ?? []), `"${node.path} ${option.long ?? ""}"`]);
    }
  const values = [...options].map(
    ([offered, names]) => `    ${names.join(" | ")}) COMPREPLY=($(compgen ${offered} -- "$cur")); return ;;`,
  );
  return `_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" next="" word words="" index=1
  while [ "$index" -lt "$COMP_CWORD" ]; do
    word="\${COMP_WORDS[index]}"
    if [ -z "$command" ]; then next="$word"; else next="$command $word"; fi
    case "$next" in
      ${below.join(" | ")}) command="$next" ;;
    esac
    index=$((index + 1))
  done
  COMPREPLY=()
  case "$command $prev" in
${values.join("\n")}
  esac
  case "$command" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  # A command whose argument is a file completes files as well.
  case "$command" in
${filed(nodes)}
  esac
}
complete -F _${name} ${name}
`;
}

function filed(nodes: readonly Node[]): string {
  const paths = nodes.filter(takesFileArgument).map(({ path }) => `"${path}"`);
  return `    ${paths.join(" | ")}) COMPREPLY+=($(compgen -f -- "$cur")) ;;`;
}

function takesFileArgument({ command }: Node): boolean {
  return command.registeredArguments.some((argument) => argument.name() === "file");
}

function argumentChoices({ command }: Node): readonly string[] {
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
}

function fishScript(name: string, nodes: readonly Node[]): string {
  const known = nodes.flatMap(({ path }) => (path === "" ? [] : [quoted(path)])).join(" ");
  const lines = nodes.flatMap((node) => {
    const at = `complete -c ${name} -n ${quoted(`__${name}_at ${quoted(node.path)}`)}`;
    return [
      ...node.children.map(
        ({ command }) => `${at} -f -a ${command.name()} -d ${quoted(summary(command.description()))}`,
      ),
      ...argumentChoices(node).map((choice) => `${at} -f -a ${choice}`),
      ...(takesFileArgument(node) ? [`${at} -F`] : [`${at} -f`]),
      ...optionsOf(node).map((option) => {
        const value = option.required ? (takesFile(option) ? " -r -F" : " -x") : "";
        const choices = option.argChoices === undefined ? "" : ` -a ${quoted(option.argChoices.join(" "))}`;
        const long = (option.long ?? "").replace(/^--/, "");
        return `${at} -l ${long}${value}${choices} -d ${quoted(summary(option.description))}`;
      }),
    ];
  });
  return `function __${name}_at
  set -l command ""
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$command $word")
    if contains -- "$next" ${known}
      set command "$next"
    end
  end
  test "$command" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** Returns the first sentence. */
function summary(text: string): string {
  return text.split(/(?<=\.) /, 1)[0] ?? "";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
