import { type RefObject, useEffect } from "react";

/**
 * Scrolls a bar of links so that the current one is visible, for example on a phone.
 *
 * @param place - the current place. The bar scrolls when it changes.
 */
export function useCurrentInView(bar: RefObject<HTMLElement | null>, place: string): void {
  useEffect(() => {
    const current = bar.current?.querySelector("[aria-current=page]");
    if (bar.current === null || !(current instanceof HTMLElement)) return;
    // Only the bar moves: `scrollIntoView` would also scroll the page.
    const frame = bar.current.getBoundingClientRect();
    const link = current.getBoundingClientRect();
    bar.current.scrollBy({ left: link.left + link.width / 2 - frame.left - frame.width / 2 });
  }, [bar, place]);
}
