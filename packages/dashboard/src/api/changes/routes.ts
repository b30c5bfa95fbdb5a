import { AUDIT_ACTIONS, type BegunChange, type ChangeOutcome } from "@tillkit/core/ports";
import * as z from "zod";
import { messageOf, recordedApiFailure } from "../api-failure.js";
import { changeIdInput } from "../change-ref.js";
import { operatorName } from "../command-of.js";
import { operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { time } from "../unit-schemas.js";

/** The states of a change. */
const STATES = ["none", "running", "done", "refused", "failed", "unknown"] as const;

const changeStateSchema = z
  .strictObject({
    state: z
      .enum(STATES)
      .describe(
        "`none`: no change with this id was begun. `running`: a request makes it now. `unknown`: it was begun, and its end is not known: send it again with the same id.",
      ),
    action: z.enum(AUDIT_ACTIONS).optional(),
    subject: z.string().optional(),
    at: time().optional().describe("When it ended, or began."),
    failure: z
      .strictObject({ name: z.string(), message: z.string() })
      .optional()
      .describe("Why the change was not made."),
  })
  .meta({ id: "ChangeState" });

type ChangeState = z.output<typeof changeStateSchema>;

function begunState({ ports }: RouteContext, { draft, leaseUntil }: BegunChange): ChangeState {
  const { action, subject, at } = draft;
  return { state: leaseUntil > ports.clock.now() ? "running" : "unknown", action, subject, at };
}

function endedState({ ports, language }: RouteContext, outcome: ChangeOutcome): ChangeState {
  const { outcome: state, action, subject, at } = outcome;
  if (state === "done" || state === "unknown") return { state, action, subject, at };
  const failure = recordedApiFailure(outcome);
  const message = messageOf(failure, language, ports.policy);
  return { state, action, subject, at, failure: { name: failure.name, message } };
}

/** The endpoint that returns the state of a change of the sender. */
export const changesRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/changes/{changeId}",
    allowed: "session",
    input: () => z.object({ changeId: changeIdInput() }),
    response: () => changeStateSchema,
    run: async (context, { changeId }) => {
      const found = await context.ports.auditLog.findChange(operatorName(context), changeId);
      return found.map((known): { readonly value: ChangeState } => {
        if (known === undefined) return { value: { state: "none" } };
        return {
          value:
            known.kind === "running" ? begunState(context, known.change) : endedState(context, known.outcome),
        };
      });
    },
  }),
];
