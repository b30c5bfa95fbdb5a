import { errAsync, okAsync } from "neverthrow";
import type { Context } from "../context.js";
import { failure } from "../failure.js";
import { requiredServer, SERVER_OPTION } from "../server/address.js";
import { openSecrets } from "../server/ask-secret.js";
import { readSession, removeSession, sessionFile, writeSession } from "../server/session-file.js";
import { signInAtServer, signOutAtServer } from "../server/sign-in.js";
import { examples, operatorOption, plainCommand } from "../settings.js";

const SERVER = [SERVER_OPTION[0], "the address of the operators' page (or TILLKIT_SERVER)"] as const;

/** Creates `tillkit login`, which signs an operator in to a running host. */
export function loginCommand({ io, report }: Context) {
  return plainCommand("login")
    .description(
      "Sign in to the operators' page of a running host, for commands with --server. Asks for the password and the code of the second factor on the terminal, or reads them from standard input, one per line. Stores the session in the configuration folder, in a file that only you can read. The session has the same rights as a session in the browser. It ends after 12 hours, or an hour after the last change.",
    )
    .option(...SERVER)
    .addOption(operatorOption(io, "the name of your account"))
    .addHelpText("after", examples("tillkit login --server https://pay.example/dashboard --operator kim"))
    .action(({ operator, ...options }) => {
      const { ask, close } = openSecrets(io);
      return report(
        options,
        requiredServer(options, io)
          .asyncAndThen((server) =>
            readSession(io, server).andThen((earlier) =>
              signInAtServer({ server, operator, devices: earlier?.devices ?? [], ask }).andThen((signedIn) =>
                writeSession(io, signedIn.session)
                  // Without its file, `tillkit logout` could not end the session.
                  .orElse((failed) =>
                    signOutAtServer(signedIn.session)
                      .orElse(() => okAsync(undefined))
                      .andThen(() => errAsync(failed)),
                  )
                  .andThen(() =>
                    earlier === undefined
                      ? okAsync(undefined)
                      : signOutAtServer(earlier).orElse(() => okAsync(undefined)),
                  )
                  .map(() => {
                    const { session, role } = signedIn;
                    return {
                      data: { server, operator: session.operator, role },
                      text: `You are signed in to ${server} as ${session.operator} (${role}). \`tillkit logout\` ends the session.`,
                    };
                  }),
              ),
            ),
          )
          .andTee(close)
          .orTee(close),
      );
    });
}

/** Creates `tillkit logout`, which ends the session of `tillkit login`. */
export function logoutCommand({ io, report }: Context) {
  return plainCommand("logout")
    .description("End the session of `tillkit login` at the server, and remove its file.")
    .option(...SERVER)
    .addHelpText("after", examples("tillkit logout --server https://pay.example/dashboard"))
    .action((options) =>
      report(
        options,
        requiredServer(options, io).asyncAndThen((server) =>
          readSession(io, server).andThen((session) => {
            if (session === undefined)
              return removeSession(io, server).map(() => ({
                data: { server, ended: false },
                text: `You are not signed in to ${server}.`,
              }));
            return signOutAtServer(session)
              .mapErr((failed) =>
                failure(
                  failed.exitReason,
                  failed.name,
                  `${failed.message} The session is still open. Run the command again, or remove ${sessionFile(io, server).unwrapOr("its file")}: the session then ends by itself.`,
                ),
              )
              .andThen(() => removeSession(io, server))
              .map(() => ({
                data: { server, ended: true },
                text: `The session of ${session.operator} at ${server} has ended.`,
              }));
          }),
        ),
      ),
    );
}
