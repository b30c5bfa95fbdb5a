import { Argument } from "@commander-js/extra-typings";
import { reencryptCredentials } from "@tillkit/postgres";
import { createKeyring, type Keyring, type KeyringFailure, rotateKeyring } from "@tillkit/runtime";
import { inAnyCase } from "../choice.js";
import type { Context } from "../context.js";
import { coreFailure, type CliFailure, failure } from "../failure.js";
import { withPorts } from "../ports.js";
import { examples, groupCommand, keyedCommand, keysFileOf, plainCommand } from "../settings.js";

const LISTS = { peppers: "peppers", "credential-keys": "credentialKeys" } as const;
const LIST_NAMES = ["peppers", "credential-keys"] as const;

/** Creates `tillkit keys`, which manages the key file that is kept apart from the database. */
export function keysCommand({ io, report }: Context) {
  const fileOption = ["--keys-file <file>", "key file (or TILLKIT_KEYS_FILE)"] as const;

  const create = plainCommand("create")
    .description(
      "Make a key file with fresh keys, readable by its owner alone. Never touches a file that is there.",
    )
    .option(...fileOption)
    .addHelpText("after", examples("tillkit keys create --keys-file keys.json"))
    .action((options) =>
      report(
        options,
        keysFileOf(options, io).asyncAndThen((file) =>
          createKeyring(file)
            .mapErr(keyringFailure)
            .map((keyring) => ({
              data: { file, ...versionsOf(keyring) },
              text: `Made ${file}. Keep a copy in a safe place: without it, credentials and customers cannot be found again.`,
            })),
        ),
      ),
    );

  const rotate = plainCommand("rotate")
    .description(
      "Make the newest key of a list current, adding a fresh one if need be. Older keys stay. When several processes share a database, rotate with --standby, bring the file to all of them, and rotate again.",
    )
    .addArgument(
      new Argument("<list>", "what to rotate").choices(LIST_NAMES).argParser(inAnyCase(LIST_NAMES)),
    )
    .option(...fileOption)
    .option("--standby", "add the fresh key last, so that it opens but nothing new is under it yet")
    .addHelpText(
      "after",
      examples(
        "tillkit keys rotate credential-keys --standby",
        "tillkit keys rotate credential-keys",
        "tillkit keys reencrypt",
      ),
    )
    .action((list, options) =>
      report(
        options,
        keysFileOf(options, io).asyncAndThen((file) =>
          rotateKeyring(file, { list: LISTS[list], standby: options.standby ?? false })
            .mapErr(keyringFailure)
            .map((keyring) => {
              const versions = keyring[LISTS[list]].map(({ version }) => version);
              return {
                data: { file, ...versionsOf(keyring) },
                text: `${file} has ${list} ${versions.join(", ")}; ${String(versions[0])} is current.`,
              };
            }),
        ),
      ),
    );

  const reencrypt = keyedCommand("reencrypt")
    .description(
      "Encrypt all wallet credentials anew under the current credential key. After it the older ones can be taken out of the key file.",
    )
    .addHelpText("after", examples("tillkit keys reencrypt"))
    .action((options) =>
      report(
        options,
        withPorts(io, options, (_ports, database, { credentialKeys }) =>
          reencryptCredentials({ ...database, credentialKeys })
            .mapErr(coreFailure)
            .map((reencrypted) => ({
              data: { reencrypted },
              text: `${reencrypted} pay tools had credentials under an older key and have them under the current one now.`,
            })),
        ),
      ),
    );

  return groupCommand("keys")
    .description("The file of the keys that are kept apart from the database.")
    .addCommand(create)
    .addCommand(rotate)
    .addCommand(reencrypt);
}

function versionsOf({ peppers, credentialKeys }: Keyring) {
  const versions = (keys: Keyring["peppers"]) => keys.map(({ version }) => version);
  return { peppers: versions(peppers), credentialKeys: versions(credentialKeys) };
}

function keyringFailure({ name, message }: KeyringFailure): CliFailure {
  return failure("unavailable", name, message);
}
