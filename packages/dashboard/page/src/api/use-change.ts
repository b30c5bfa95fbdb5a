import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useSession } from "../session/session-context.js";
import { type ApiError, isSessionFailure } from "./api-error.js";
import {
  changeIdOf,
  changeStateOf,
  type LostChange,
  onIntentions,
  resendIntention,
  sendIntention,
  type Sent,
} from "./intentions.js";
import { addressOf } from "./request.js";
import type { Answer, AnyParameters, Body, ChangePath, Parameters } from "./routes.js";
import { useReload, useSessionEnd } from "./use-reload.js";

/** A change that a person asks for. It has three ends: done, refused, or lost. */
export interface Change<Input, Result> {
  /** Returns the id of the change that is under way, or of the next change. */
  readonly nextId: () => string;
  /** Sends the change at once. A second press sends nothing. */
  readonly mutate: (input: Input, callbacks?: { readonly onSuccess?: (result: Result) => void }) => void;
  readonly isPending: boolean;
  /** The answer of the server. */
  readonly data: Result | undefined;
  /** Why the change was not made. */
  readonly error: ApiError | null;
  /** Present while it is not known whether the change was made. */
  readonly lost: LostChange | undefined;
  /** Sends the lost change again if it has not arrived. */
  readonly resend: () => void;
  /** Forgets the answer and the failure. */
  readonly reset: () => void;
}

/** How a change is made. */
export interface ChangeOptions {
  /** Whether the body contains a secret, which the browser must not store. */
  readonly isSecret?: boolean;
}

/**
 * Returns a change of the operator API. The only way for a view to change something.
 *
 * A press of the button creates an intention with an id. Its outcome is shown: done, refused, or
 * "not known". The page stores the intention in the tab until its outcome is known, and the server
 * makes one change for one id. Afterwards every view loads its data again.
 *
 * @param toBody - returns what is sent, from what the person typed.
 * @example
 * ```ts
 * const path = { appId };
 * const disable = useChange("/api/setup/apps/{appId}/disable", { path }, (reason: string) => ({
 *   reason,
 * }));
 * ```
 */
export function useChange<Path extends ChangePath, Input>(
  path: Path,
  parameters: Parameters<Path, "post"> & AnyParameters,
  toBody: (input: Input) => Body<Path, "post">,
  { isSecret = false }: ChangeOptions = {},
): Change<Input, Answer<Path, "post">> {
  type Result = Answer<Path, "post">;
  const operator = useSession().operator?.name ?? "";
  const address = addressOf(path, parameters);
  const slot = { operator, address };
  const state = useSyncExternalStore(onIntentions, () => changeStateOf(slot));
  const [sent, setSent] = useState<Sent<Result>>({});
  const reload = useReload();
  const endSession = useSessionEnd();
  const lost = state.step === "lost" ? state.lost : undefined;
  const [outcomes, setOutcomes] = useState(0);
  // A key that is held, or pressed twice, must not make another change before the outcome of this
  // change is on the screen.
  const isFollowing = useRef(false);
  useEffect(() => {
    isFollowing.current = false;
  }, [outcomes]);
  const follow = async (send: () => Promise<Sent<Result>>, onSuccess?: (result: Result) => void) => {
    if (isFollowing.current) return;
    isFollowing.current = true;
    setSent({});
    const ended = await send();
    setSent(ended);
    setOutcomes((count) => count + 1);
    if (isSessionFailure(ended.error)) endSession();
    else if (ended.error?.status !== 0) reload();
    if (ended.answer !== undefined) onSuccess?.(ended.answer);
  };
  return {
    nextId: () => changeIdOf(slot),
    mutate: (input, { onSuccess } = {}) => {
      const subject = Object.values(parameters.path ?? {}).at(-1) ?? "";
      // A change without input has the body `{}`: the page could not send a change again without a
      // stored body.
      const body = JSON.stringify(toBody(input) ?? {});
      void follow(() => sendIntention({ ...slot, path, subject, body }, isSecret), onSuccess);
    },
    isPending: state.step === "sending",
    data: sent.answer,
    error: sent.error ?? null,
    lost,
    resend: () => {
      if (lost !== undefined) void follow(() => resendIntention(lost.intention));
    },
    reset: useCallback(() => setSent({}), []),
  };
}
