import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { readTextFile } from "@tillkit/runtime";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { type CliFailure, failure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { writeFailure } from "../read-text.js";

const fileSchema = z.object({
  server: z.string(),
  /** The name of the operator who signed in. */
  operator: z.string(),
  /** The cookie of the session, as the server named it. */
  cookie: z.string(),
  /** The token against forged requests, which belongs to the session. */
  csrfToken: z.string(),
  /** The cookies that make this machine known at the next sign-in. */
  devices: z.array(z.string()).readonly(),
});

/** The session of an operator at a server, as its file contains it. */
export type StoredSession = Readonly<z.output<typeof fileSchema>>;

/**
 * Returns the file of the session at a server: in `tillkit/sessions` of the configuration folder.
 *
 * @see {@link https://specifications.freedesktop.org/basedir-spec/latest/ | XDG Base Directory}
 */
export function sessionFile({ env }: Pick<Io, "env">, server: string): Result<string, CliFailure> {
  const { XDG_CONFIG_HOME: config = "", HOME = "", USERPROFILE = "" } = env;
  const home = HOME === "" ? USERPROFILE : HOME;
  // The specification ignores a relative path.
  const folder = isAbsolute(config) ? config : join(home, ".config");
  if (!isAbsolute(folder))
    return err(usage("There is no folder for the session. Set HOME or XDG_CONFIG_HOME to an absolute path."));
  const name = new URL(server).host.replace(/[^\w.-]/g, "_");
  const digest = createHash("sha256").update(server).digest("hex").slice(0, 16);
  return ok(join(folder, "tillkit", "sessions", `${name}-${digest}.json`));
}

/** Reads the stored session at a server, or `undefined` if there is none. */
export function readSession(
  io: Pick<Io, "env">,
  server: string,
): ResultAsync<StoredSession | undefined, CliFailure> {
  return sessionFile(io, server)
    .asyncAndThen((file) =>
      readTextFile(file, { what: "session file", secret: true })
        .map((text): string | undefined => text)
        .orElse(({ name, message }) =>
          name === "file.missing" ? okAsync(undefined) : errAsync(failure("unavailable", name, message)),
        ),
    )
    .map((text) => {
      const stored = fileSchema.safeParse(text === undefined ? undefined : jsonOf(text)).data;
      // A file that this program did not write is replaced by the next sign-in.
      return stored?.server === server ? stored : undefined;
    });
}

/** Stores a session in one step. Only the owner can read the file. */
export function writeSession(io: Pick<Io, "env">, session: StoredSession): ResultAsync<string, CliFailure> {
  return sessionFile(io, session.server).asyncAndThen((file) =>
    ResultAsync.fromPromise(
      replaceFile(file, `${JSON.stringify(session, undefined, 2)}\n`),
      writeFailure,
    ).map(() => file),
  );
}

/** Removes the stored session at a server. */
export function removeSession(io: Pick<Io, "env">, server: string): ResultAsync<void, CliFailure> {
  return sessionFile(io, server).asyncAndThen((file) =>
    ResultAsync.fromPromise(rm(file, { force: true }), writeFailure),
  );
}

async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
