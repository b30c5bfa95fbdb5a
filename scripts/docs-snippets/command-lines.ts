const COMMAND = /^\s*(?:.*[|&;]\s+)?(?:[A-Z_]+=\S+\s+)*(?:npx )?tillkit(?=\s)(.*)$/u;
const WORD = /"([^"]*)"|'([^']*)'|([^\s"']+)/gu;
/** What ends the words of a command: a comment, a pipe, a redirection or another command. */
const END = /^(?:#.*|[|&;>]+|\d?>.*)$/u;

/**
 * Returns the words after `tillkit` of every command of a shell block, as a shell splits them.
 *
 * It knows quotes and lines that continue, and no variables.
 */
export function tillkitCommands(code: string): readonly (readonly string[])[] {
  return code
    .replace(/\\\n\s*/gu, "")
    .split("\n")
    .flatMap((line) => {
      const words = COMMAND.exec(line)?.[1];
      return words === undefined ? [] : [wordsOf(words)];
    });
}

function wordsOf(text: string): readonly string[] {
  const found = [...text.matchAll(WORD)];
  const end = found.findIndex(([word]) => END.test(word));
  return found
    .slice(0, end < 0 ? undefined : end)
    .map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
