import { Argument } from "@commander-js/extra-typings";
import { reencryptCredentials } from "@tillkit/postgres";
import { createKeyring, type Keyring, type KeyringFailure, rotateKeyring } from "@tillkit/runtime";
import { inAnyCase } from "../case-insensitive-choice.js";
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
    .description("Create a key file with new keys. Only its owner can read it. Fails if the file exists.")
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
              text: `Created ${file}. Keep a copy in a safe place: without these keys, stored credentials cannot be decrypted and customers cannot be recognised by phone number.`,
            })),
        ),
      ),
    );

  const rotate = plainCommand("rotate")
    .description(
      "Make the newest key of a list current. If it is current already, create a new key first. Older keys stay in the file. If several processes share a database, rotate with --standby, copy the file to all of them, and rotate again.",
    )
    .addArgument(
      new Argument("<list>", "which keys to rotate").choices(LIST_NAMES).argParser(inAnyCase(LIST_NAMES)),
    )
    .option(...fileOption)
    .option(
      "--standby",
      "append a new key that decrypts and finds stored values, but is not used for new values yet",
    )
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
                text: `${file} has the versions ${versions.join(", ")} of ${list}; version ${String(versions[0])} is current.`,
              };
            }),
        ),
      ),
    );

  const reencrypt = keyedCommand("reencrypt")
    .description(
      "Encrypt all wallet credentials with the current credential key. You can then remove older credential keys from the key file.",
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
              text: `Encrypted the credentials of ${reencrypted} pay tools with the current key. All others already had it.`,
            })),
        ),
      ),
    );

  return groupCommand("keys")
    .description("Manage the key file, which you keep apart from the database.")
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
