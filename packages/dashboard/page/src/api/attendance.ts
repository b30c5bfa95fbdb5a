/** What a person does with a page. */
const INPUTS = ["pointerdown", "keydown", "wheel"] as const;

/** Whether a person has used the page since it was asked last. Loading the page is a use. */
let isUsed = true;

for (const type of INPUTS) {
  const onInput = ({ isTrusted }: Event) => {
    // A script of the page is no person.
    isUsed ||= isTrusted;
  };
  addEventListener(type, onInput, { capture: true, passive: true });
}

/**
 * Returns the headers of a read.
 *
 * A read keeps the session alive only if a person has used the page since the last read: an
 * unattended page must not.
 */
export function attendanceHeaders(): Readonly<Record<string, string>> {
  const headers: Readonly<Record<string, string>> = isUsed ? { "x-attended": "1" } : {};
  isUsed = false;
  return headers;
}
