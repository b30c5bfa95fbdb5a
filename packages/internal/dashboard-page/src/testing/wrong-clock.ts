/**
 * Returns a script that makes the clock of a page wrong.
 *
 * @param offset - how far the clock is ahead, in milliseconds.
 */
export function wrongClock(offset: number): string {
  return `{
    const Right = Date;
    const wrong = () => Right.now() + (${String(offset)});
    globalThis.Date = class extends Right {
      constructor(...parts) {
        super(...(parts.length === 0 ? [wrong()] : parts));
      }
      static now() {
        return wrong();
      }
    };
  }`;
}
