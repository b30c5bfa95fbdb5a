import { type CustomerSession, endSessions, listSessions } from "@tillkit/core/operators";
import { err, ok, type Result } from "neverthrow";
import { table, timeText } from "../answer.js";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { endCustomerSessions, listCustomerSessions, requiredIdentity } from "../server/customers.js";
import { changeAtSource, fromSource, requiredReason } from "../server/open-server.js";
import { changingCommand, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";
import { CUSTOMER_APP, CUSTOMER_IDENTITY, CUSTOMER_PHONE, refOf } from "./customers.js";

/** Creates `tillkit sessions`, which lists and ends the sessions of a customer. */
export function sessionsCommand({ io, report }: Context) {
  const list = keyedCommand("list")
    .description(
      "List the live sessions of a customer, newest first. The time of the last use is exact to a day.",
    )
    .requiredOption(...CUSTOMER_APP)
    .option(...CUSTOMER_PHONE)
    .option(...CUSTOMER_IDENTITY)
    .option(...SERVER_OPTION)
    .option(...CSV_OPTION)
    .addHelpText("after", examples("echo 13800138000 | tillkit sessions list --app app_1 --phone -"))
    .action(({ app, ...options }) =>
      report(
        options,
        fromSource(io, options, {
          database: () =>
            refOf(io, options).andThen((ref) =>
              withPorts(io, options, (ports) => listSessions(ports, app, ref).mapErr(coreFailure)),
            ),
          server: (server) =>
            requiredIdentity(options.identity).asyncAndThen((identity) =>
              listCustomerSessions(server, app, identity),
            ),
        }).map((sessions) => ({
          data: { sessions },
          text: table(["SESSION", "CUSTOMER", "LOGIN", "LAST USE", "ENDS", "DEVICE"], sessions.map(rowOf)),
        })),
      ),
    );

  const revoke = changingCommand("revoke")
    .description(
      "End one session of a customer, or all of them, such as after the theft of a phone. The next request of an ended session is refused.",
    )
    .requiredOption(...CUSTOMER_APP)
    .option(...CUSTOMER_PHONE)
    .option(...CUSTOMER_IDENTITY)
    .option(...SERVER_OPTION)
    .option("--session <id>", "the id of the session, from `tillkit sessions list`")
    .option("--all", "end every session")
    .addHelpText(
      "after",
      examples(
        "tillkit sessions revoke --app app_1 --identity cus_1 --session 9f86d081884c7d65 --operator kim",
        "echo 13800138000 | tillkit sessions revoke --app app_1 --phone - --all --operator kim",
      ),
    )
    .action(({ app, session, all, ...options }) =>
      report(
        options,
        whichOf(session, all).asyncAndThen((id) =>
          changeAtSource(io, options, {
            database: () =>
              commandOf(io, options).asyncAndThen((by) =>
                refOf(io, options).andThen((ref) =>
                  withPorts(io, options, (ports) => endSessions(ports, app, ref, id, by).mapErr(coreFailure)),
                ),
              ),
            server: (server) =>
              requiredIdentity(options.identity)
                .andThen((identity) => requiredReason(options.reason).map((reason) => ({ identity, reason })))
                .asyncAndThen(({ identity, reason }) =>
                  endCustomerSessions(server, app, identity, {
                    reason,
                    ...(id === undefined ? {} : { sessionId: id }),
                  }),
                ),
          }).map((sessions) => ({
            data: { sessions },
            text: `Ended sessions: ${sessions}.`,
            finding: id !== undefined && sessions === 0,
          })),
        ),
      ),
    );

  return groupCommand("sessions")
    .description("List and end the sessions of a customer who logs in by phone.")
    .addCommand(list)
    .addCommand(revoke);
}

/** Returns the id of the session to end, or `undefined` for every session. */
function whichOf(session: string | undefined, all: true | undefined): Result<string | undefined, CliFailure> {
  return (session === undefined) === (all === undefined)
    ? err(usage("Set either --session or --all."))
    : ok(session);
}

function rowOf(session: CustomerSession): readonly string[] {
  const { id, customerId, gmtCreate, lastUsedAt, expiresAt, label = "" } = session;
  return [id, customerId, timeText(gmtCreate), timeText(lastUsedAt), timeText(expiresAt), label];
}
