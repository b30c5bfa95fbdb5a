import { ApiError, isSessionFailure } from "./api-error.js";
import { newChangeId } from "./change-id.js";
import { CHANGE_TIMEOUT, READ_TIMEOUT, sendRequest, addressOf } from "./request.js";
import type { Answer } from "./routes.js";
import { type Intention, removeIntention, storedIntentions, storeIntention } from "./stored-intentions.js";

/** The pauses between two queries for an outcome, in milliseconds. The last pause is repeated. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000] as const;
/** How much longer than its time-out a change may take to arrive, in milliseconds. */
const MARGIN = 5_000;

/** What the page knows about a change whose answer was lost. */
export type Report =
  /** The page is querying the outcome, or the server does not respond. */
  | { readonly state: "asking" | "silent" }
  /** The server has not received the change so far, is making it, or does not know how it ended. */
  | { readonly state: "none" | "running" | "unknown" }
  | { readonly state: "done" }
  /**
   * An earlier change with the same id was given up, and arrived after all. This change was not
   * made. `otherUnknown`: it is not known which of the two was made.
   */
  | { readonly state: "otherMade" | "otherNotMade" | "otherUnknown" }
  | { readonly state: "refused" | "failed"; readonly message: string };

/** A change whose answer was lost. */
export interface LostChange {
  readonly intention: Intention;
  readonly report: Report;
  /** Whether the server has not received the change, and will not receive it any more. */
  readonly hasNotArrived: boolean;
  /** Whether the page may send the change again, with the same id. */
  readonly canResend: boolean;
}

/** The state of the last change that was sent to an address. */
export type ChangeState =
  { readonly step: "idle" | "sending" } | { readonly step: "lost"; readonly lost: LostChange };

/** What one operator sends to one address. At most one change is under way at a time. */
interface Slot {
  /** The id of the change that is under way, or of the next change. */
  id: string;
  /** Whether a change with this id was given up, and may still arrive. */
  isReused: boolean;
  state: ChangeState;
  /** When the change was sent last, by a clock that only runs forward. */
  sentAt: number;
  /** The failure that the server answered with, if it answered. */
  failure: ApiError | undefined;
  asked: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const IDLE: ChangeState = { step: "idle" };
const SENDING: ChangeState = { step: "sending" };
const ASKING: Report = { state: "asking" };

const slots = new Map<string, Slot>();
const listeners = new Set<() => void>();
let lostChanges: readonly LostChange[] = [];
/** The operator who sees the lost changes. Without one, the page does not ask about them. */
let viewer: string | undefined;

/** The answer to a change, or why the change was refused. Both are absent if no answer arrived. */
export type Sent<T> = { readonly answer?: T; readonly error?: ApiError };

const keyOf = ({ operator, address }: Pick<Intention, "operator" | "address">) =>
  JSON.stringify([operator, address]);

function slotOf(one: Pick<Intention, "operator" | "address">): Slot {
  const key = keyOf(one);
  const known = slots.get(key);
  if (known !== undefined) return known;
  const slot = newSlot();
  slots.set(key, slot);
  return slot;
}

function newSlot(id = newChangeId(), isReused = false): Slot {
  const sentAt = performance.now();
  return { id, isReused, state: IDLE, sentAt, failure: undefined, asked: 0, timer: undefined };
}

// After a reload, the answers of changes that were under way are lost.
for (const intention of storedIntentions()) {
  const lost = { intention, report: ASKING, hasNotArrived: false, canResend: false };
  slots.set(keyOf(intention), {
    ...newSlot(intention.id, intention.isReused),
    state: { step: "lost", lost },
  });
}
update();

function update(): void {
  lostChanges = [...slots.values()].flatMap(({ state }) => (state.step === "lost" ? [state.lost] : []));
  for (const listener of listeners) listener();
}

/** Calls `listener` after each step of a change. Returns a function that stops the calls. */
export function onIntentions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the changes of every operator whose answers were lost in this tab. */
export function allLostChanges(): readonly LostChange[] {
  return lostChanges;
}

/** Returns the state of the last change of an address. */
export function changeStateOf(one: Pick<Intention, "operator" | "address">): ChangeState {
  return slots.get(keyOf(one))?.state ?? IDLE;
}

/** Returns the id of the change that is under way, or of the next change. */
export function changeIdOf(one: Pick<Intention, "operator" | "address">): string {
  return slotOf(one).id;
}

/**
 * Sends a change once: a second press while it is under way sends nothing.
 *
 * While the answer to an earlier change is lost, the same change again only queries the outcome,
 * and a different change is refused.
 */
export async function sendIntention<T>(asked: Omit<Intention, "id">, isSecret: boolean): Promise<Sent<T>> {
  const slot = slotOf(asked);
  if (slot.state.step === "sending") return {};
  if (slot.state.step === "lost") {
    if (slot.state.lost.intention.body !== asked.body) return { error: new ApiError("change.unsettled", "") };
    void askNow(slot.state.lost.intention);
    return {};
  }
  if (!navigator.onLine) return { error: new ApiError("offline", "") };
  const intention = { ...asked, id: slot.id, ...(slot.isReused && { isReused: true }) };
  const { body: _secret, ...public_ } = intention;
  storeIntention(isSecret ? public_ : intention);
  return send(slot, intention, true);
}

/** Sends a change again if it has not arrived, or if the server does not know its outcome. */
export async function resendIntention<T>(intention: Intention): Promise<Sent<T>> {
  const slot = slotOf(intention);
  if (slot.state.step !== "lost" || !slot.state.lost.canResend) return {};
  return send(slot, intention, false);
}

async function send<T>(slot: Slot, intention: Intention, isFirst: boolean): Promise<Sent<T>> {
  clearTimeout(slot.timer);
  slot.state = SENDING;
  slot.sentAt = performance.now();
  update();
  const { address, body, id } = intention;
  const headers = { "x-change-id": id };
  try {
    const request = { method: "POST", address, body, headers, timeout: CHANGE_TIMEOUT } as const;
    const answer = await sendRequest<T>(request);
    close(slot, intention);
    return { answer };
  } catch (cause) {
    const error = cause instanceof ApiError ? cause : new ApiError("unreachable", "");
    if (isOutcome(error, isFirst)) {
      close(slot, intention);
      return { error };
    }
    slot.failure = error.status === 0 ? undefined : error;
    lose(slot, intention);
    return {};
  }
}

/** Returns whether a failure means that neither this request nor an earlier one made the change. */
function isOutcome(error: ApiError, isFirst: boolean): boolean {
  if (error.failure === "offline") return isFirst;
  if (error.status < 400 || error.status >= 500) return false;
  if (error.failure === "change.running" || error.failure === "change.conflict") return false;
  return isFirst || !isSessionFailure(error);
}

/** Forgets an intention whose outcome is known. The next change gets another id. */
function close(slot: Slot, intention: Intention): void {
  removeIntention(intention);
  Object.assign(slot, newSlot());
  update();
}

function lose(slot: Slot, intention: Intention): void {
  slot.asked = 0;
  report(slot, intention, ASKING);
  if (viewer === intention.operator) void ask(slot, intention);
}

function report(slot: Slot, intention: Intention, found: Report): void {
  const isOver = performance.now() - slot.sentAt > CHANGE_TIMEOUT + MARGIN;
  const hasNotArrived = found.state === "none" && isOver;
  const canResend = (hasNotArrived || found.state === "unknown") && intention.body !== undefined;
  slot.state = { step: "lost", lost: { intention, report: found, hasNotArrived, canResend } };
  update();
}

/** Asks the server about the outcome of a change. */
export async function askNow(intention: Intention): Promise<void> {
  const slot = slotOf(intention);
  if (slot.state.step !== "lost" || isKnown(slot.state.lost.report)) return;
  clearTimeout(slot.timer);
  report(slot, intention, ASKING);
  await ask(slot, intention);
}

async function ask(slot: Slot, intention: Intention): Promise<void> {
  const found = await findOut(slot, intention);
  // Meanwhile, the change may have been sent again, or a press may have started another query.
  if (slot.state.step !== "lost" || slot.id !== intention.id) return;
  if (isKnown(found)) removeIntention(intention);
  report(slot, intention, found);
  if (isKnown(found) || slot.state.lost.canResend || slot.state.lost.hasNotArrived) return;
  if (viewer !== intention.operator) return;
  const pause = PAUSES[Math.min(slot.asked, PAUSES.length - 1)];
  slot.asked += 1;
  clearTimeout(slot.timer);
  slot.timer = setTimeout(() => void ask(slot, intention), pause);
}

/** Returns whether a report contains the outcome of the change. */
export function isKnown({ state }: Report): boolean {
  return KNOWN.includes(state);
}

const KNOWN: readonly Report["state"][] = [
  "done",
  "refused",
  "failed",
  "otherMade",
  "otherNotMade",
  "otherUnknown",
];

/** Finds the outcome of a change. Never reports the outcome of another change with the same id. */
async function findOut(slot: Slot, intention: Intention): Promise<Report> {
  const asked = await reportOf(intention);
  // The server answered with a failure of its own, and recorded nothing.
  if (asked.state === "none" && slot.failure !== undefined)
    return { state: "failed", message: slot.failure.message };
  if (slot.failure?.failure === "change.conflict") return ofOther(asked);
  if (intention.isReused !== true || !isKnown(asked)) return asked;
  const owner = await ownerOfOutcome(intention);
  if (owner === "other") return ofOther(asked);
  return owner === "own" ? asked : { state: owner };
}

/** Returns the report of a change whose id the server knows from an earlier change. */
function ofOther(earlier: Report): Report {
  if (earlier.state === "done") return { state: "otherMade" };
  if (earlier.state === "unknown") return { state: "otherUnknown" };
  return isKnown(earlier) ? { state: "otherNotMade" } : earlier;
}

/**
 * Sends the change again, to find out whether the known outcome is of this change or of the earlier
 * one. This changes nothing, because the server makes one change for one id.
 */
async function ownerOfOutcome({
  id,
  address,
  body,
}: Intention): Promise<"own" | "other" | "silent" | "otherUnknown"> {
  // The page does not store secrets, so it has no body to send again.
  if (body === undefined) return "otherUnknown";
  try {
    const headers = { "x-change-id": id };
    await sendRequest({ method: "POST", address, body, headers, timeout: CHANGE_TIMEOUT });
    return "own";
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status < 400 || cause.status >= 500) return "silent";
    return cause.failure === "change.conflict" ? "other" : "own";
  }
}

async function reportOf({ id }: Intention): Promise<Report> {
  try {
    const address = addressOf("/api/changes/{changeId}", { path: { changeId: id } });
    const { state, failure } = await sendRequest<Answer<"/api/changes/{changeId}", "get">>({
      method: "GET",
      address,
      timeout: READ_TIMEOUT,
    });
    return state === "refused" || state === "failed" ? { state, message: failure?.message ?? "" } : { state };
  } catch {
    return { state: "silent" };
  }
}

/**
 * Ends an intention if its outcome is known, or if it has not arrived and the person gives it up.
 *
 * The next change to the same address uses the id of a given-up change. If the given-up change
 * arrives after all, the server makes only one of the two.
 */
export function dismissIntention(intention: Intention): void {
  const slot = slotOf(intention);
  if (slot.state.step !== "lost") return;
  const { report: last, hasNotArrived } = slot.state.lost;
  if (!isKnown(last) && !hasNotArrived) return;
  clearTimeout(slot.timer);
  removeIntention(intention);
  Object.assign(slot, hasNotArrived ? newSlot(intention.id, true) : newSlot());
  update();
}

/**
 * Queries the outcomes of an operator's lost changes. Returns a function that stops the queries.
 */
export function watchIntentions(operator: string): () => void {
  const askAll = () => {
    for (const { intention } of lostChanges) if (intention.operator === operator) void askNow(intention);
  };
  viewer = operator;
  askAll();
  addEventListener("online", askAll);
  return () => {
    viewer = undefined;
    removeEventListener("online", askAll);
  };
}
