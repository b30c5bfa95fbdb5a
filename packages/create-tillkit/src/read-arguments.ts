import { parseArgs } from "node:util";
import { FRAMEWORK_NAMES, type FrameworkName } from "./frameworks.js";
import { PACKAGE_MANAGER_NAMES, type PackageManagerName } from "./package-managers.js";

/** The help text. */
export const USAGE = `usage: npm create tillkit [folder] -- [options]

Writes a Tillkit host with a shop: a development server with simulated wallets, tests, a Dockerfile and
the set-up for production. Asks for what the options leave open.

  --framework <name>         ${FRAMEWORK_NAMES.join(", ")}
  --package-manager <name>   ${PACKAGE_MANAGER_NAMES.join(", ")}
  --no-install               writes the files only
  --yes                      asks nothing: my-tillkit, node, and the package manager that runs this command
  --version                  prints the version
  --help                     prints this text
`;

/** The parsed command line. An absent member was not set. */
export interface Arguments {
  readonly folder?: string;
  readonly framework?: FrameworkName;
  readonly packageManager?: PackageManagerName;
  readonly install: boolean;
  readonly yes: boolean;
  /** The text to print. The program then writes no project. */
  readonly shows?: "help" | "version";
}

/** Reads the arguments. Throws an `Error` with a sentence for the user if they are wrong. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      framework: { type: "string" },
      "package-manager": { type: "string" },
      install: { type: "boolean", default: true },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
    },
  });
  const [folder, ...more] = positionals;
  if (more.length > 0)
    throw new Error(
      `Name one folder, not ${positionals.length}. npm passes options on only after \`--\`: npm create tillkit my-shop -- --framework next`,
    );
  const framework = choice("--framework", FRAMEWORK_NAMES, values.framework);
  const packageManager = choice("--package-manager", PACKAGE_MANAGER_NAMES, values["package-manager"]);
  const shows = values.help === true ? "help" : values.version === true ? "version" : undefined;
  return {
    ...(folder !== undefined && { folder }),
    ...(framework !== undefined && { framework }),
    ...(packageManager !== undefined && { packageManager }),
    ...(shows !== undefined && { shows }),
    install: values.install,
    yes: values.yes,
  };
}

function choice<T extends string>(
  option: string,
  names: readonly T[],
  given: string | undefined,
): T | undefined {
  const found = names.find((name) => name === given);
  if (given !== undefined && found === undefined)
    throw new Error(`${option} is one of ${names.join(", ")}, not ${JSON.stringify(given)}.`);
  return found;
}
