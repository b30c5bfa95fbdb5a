import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** The id of the search box, which `/` focuses. */
export const SEARCH_BOX_ID = "search-box";
/** The id of the main part of the page. */
export const MAIN_ID = "main";

/** Returns the heading of the view, or the view while it has no heading yet. */
function startOfView(): HTMLElement | null {
  const main = document.getElementById(MAIN_ID);
  return main?.querySelector("h1") ?? main;
}

/** Moves the focus to the start of the view. */
export function focusView(): void {
  startOfView()?.focus({ preventScroll: true });
}

/**
 * Moves the focus to an element as soon as it appears: `<input ref={focusNow} />`.
 *
 * Not by `autoFocus` of React Aria: after the Enter key sent a form, the dialog moved the focus to
 * another element.
 */
export function focusNow(element: HTMLElement | null): void {
  element?.focus();
}

/** Returns whether the operator types a search while the page still loads another view. */
function isTypingSearch(): boolean {
  const { activeElement } = document;
  return activeElement?.id === SEARCH_BOX_ID && activeElement.hasAttribute("data-unsent");
}

/** Moves the focus to the start of each view that the operator goes to. */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged && !isTypingSearch()) focusView();
      }),
    [router],
  );
}

/**
 * Moves the focus to the start of the view if no element has the focus.
 *
 * A closed dialog returns the focus to its button a frame later. The button may no longer exist
 * then.
 */
export function focusLostFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body || document.activeElement === null) focusView();
  }, FOCUS_RETURNS);
}

/** Moves the focus to the search box in the first view, and to the start of any other view. */
export function focusAfterSignIn(): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    // On a phone, a focused field would cover half of the screen with the keyboard.
    const isFirst = location.pathname.endsWith("/today") && matchMedia("(pointer: fine)").matches;
    if (isFirst) document.getElementById(SEARCH_BOX_ID)?.focus();
    else focusView();
  }, FOCUS_RETURNS);
}

/** How long a closed dialog needs at most to return the focus, in milliseconds. */
const FOCUS_RETURNS = 150;
