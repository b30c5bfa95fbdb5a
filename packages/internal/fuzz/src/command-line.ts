import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { testClock } from "@tillkit/memory";
import fc from "fast-check";
import { commandHelp, installedWallets, run } from "tillkit";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { hostileText } from "./hostile.js";
import { visible } from "./requests.js";

/** Options that name a place to work in. With one of them a command would have an effect. */
const PLACES: ReadonlySet<string> = new Set(["--database-url", "--data-dir", "--keys-file"]);

/** Commands that have an effect without such an option. `tillkit dev` starts a host. */
const NOT_PLAYED: ReadonlySet<string> = new Set(["tillkit dev"]);

interface Line {
  /** The words of the command. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly more: readonly string[];
}

/** The arguments of the program, without database, folder and key file, so they have no effect. */
export const commandLine: FuzzTarget = {
  name: "command-line",
  share: 3,
  open: async () => {
    const commands = commandHelp()
      .filter(({ command }) => !NOT_PLAYED.has(command))
      .map(({ command, help }) => ({
        words: command.split(" ").slice(1),
        options: [...new Set(help.match(/--[a-z][a-z-]*/g))].filter((option) => !PLACES.has(option)),
      }));
    const line = fc.oneof(
      ...commands.map(({ words, options }) =>
        fc.record<Line>({
          words: fc.constant(words),
          json: fc.boolean(),
          more: fc.array(fc.oneof(fc.constantFrom("--", "-", ...options), hostileText.filter(isNoPlace)), {
            maxLength: 6,
          }),
        }),
      ),
    );
    return openTargetBy<Line>({
      cases: line,
      requestsIn: () => 1,
      play,
      toText: (fuzzCase) =>
        `tillkit ${argvOf(fuzzCase)
          .map((arg) => visible(JSON.stringify(arg)))
          .join(" ")}`,
    });
  },
};

function argvOf({ words, json, more }: Line): readonly string[] {
  return [...words, ...(json ? ["--json"] : []), ...more];
}

function isNoPlace(word: string): boolean {
  return ![...PLACES].some((option) => word.startsWith(option));
}

async function play(line: Line): Promise<void> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const io = {
    stdin: Readable.from([""]),
    stdout,
    stderr,
    env: {},
    clock: testClock(),
    openWallets: installedWallets,
  };
  const code = await run(argvOf(line), io);
  stdout.end();
  stderr.end();
  const [out, complaint] = await output;
  if (![0, 1, 2, 3, 4, 5].includes(code)) reportBroken("the program ends with a documented code", code);
  if (/Unexpected error|\n {4}at /.test(out + complaint))
    reportBroken("a wrong command line is explained", out + complaint);
  if (line.json && code !== 0 && !isJson(out)) reportBroken("--json prints one document", out);
}

function isJson(printed: string): boolean {
  try {
    JSON.parse(printed);
    return true;
  } catch {
    return false;
  }
}
