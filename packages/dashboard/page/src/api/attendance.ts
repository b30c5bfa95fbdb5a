/** The events that a person causes by using a page. */
const INPUTS = ["pointerdown", "keydown", "wheel"] as const;

/** Whether a person has used the page since the last read. Loading the page counts as a use. */
let isUsed = true;

for (const type of INPUTS) {
  const onInput = ({ isTrusted }: Event) => {
    // An event that a script caused does not count.
    isUsed ||= isTrusted;
  };
  addEventListener(type, onInput, { capture: true, passive: true });
}

/**
 * Returns the headers of a read.
 *
 * A read keeps the session alive only if a person has used the page since the last read. An
 * unattended page must not keep it alive.
 */
export function attendanceHeaders(): Readonly<Record<string, string>> {
  const headers: Readonly<Record<string, string>> = isUsed ? { "x-attended": "1" } : {};
  isUsed = false;
  return headers;
}
