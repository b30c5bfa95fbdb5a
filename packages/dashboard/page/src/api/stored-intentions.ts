import { MOUNT_PATH } from "./mount-path.js";

/** A change that a person has asked for, and whose outcome is not known yet. */
export interface Intention {
  /** Identifies the change at the server, also when it is sent again. */
  readonly id: string;
  readonly operator: string;
  /** The path of the route, which names the kind of the change. */
  readonly path: string;
  /** Where the change is sent to. */
  readonly address: string;
  /** What the change is about, such as the number of an order. */
  readonly subject: string;
  /** Whether a change with this id was given up before, and may still arrive. */
  readonly isReused?: boolean;
  /** JSON text. Absent after a reload if it contains a secret. */
  readonly body?: string | undefined;
}

/** The prefix of the keys in `sessionStorage`: the storage of this tab, which ends with the tab. */
const PREFIX = `tillkit-intention ${MOUNT_PATH} `;

const keyOf = ({ operator, address }: Intention) => `${PREFIX}${JSON.stringify([operator, address])}`;

/**
 * Stores an intention before it is sent, so that it survives a reload of the tab.
 *
 * Returns false if the browser stores nothing, for example because the storage is full.
 */
export function storeIntention(intention: Intention): boolean {
  try {
    sessionStorage.setItem(keyOf(intention), JSON.stringify(intention));
    return true;
  } catch {
    return false;
  }
}

/** Removes an intention whose outcome is known. */
export function removeIntention(intention: Intention): void {
  try {
    sessionStorage.removeItem(keyOf(intention));
  } catch {
    // Without a storage there is nothing to remove.
  }
}

/** Returns the intentions of this tab. */
export function storedIntentions(): readonly Intention[] {
  try {
    return Object.entries(sessionStorage).flatMap(([key, text]) => {
      if (!key.startsWith(PREFIX) || typeof text !== "string") return [];
      const found: unknown = JSON.parse(text);
      return isIntention(found) ? [found] : [];
    });
  } catch {
    return [];
  }
}

function isIntention(found: unknown): found is Intention {
  if (typeof found !== "object" || found === null) return false;
  const members = new Map<string, unknown>(Object.entries(found));
  const isText = (name: string) => typeof members.get(name) === "string";
  return (
    ["id", "operator", "path", "address", "subject"].every(isText) &&
    (isText("body") || !members.has("body")) &&
    (members.get("isReused") === true || !members.has("isReused"))
  );
}
