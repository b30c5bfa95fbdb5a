import { useSyncExternalStore } from "react";

const KEY = "tillkit-letter-keys";
const CHANGED = "tillkit-letter-keys-changed";

/** Returns whether single keys such as `/` do something. An operator can switch them off. */
export function hasLetterKeys(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

/** Switches the single keys, and stores the choice in this browser. */
export function switchLetterKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
  dispatchEvent(new Event(CHANGED));
}

/** Returns whether single keys do something, and renders again when that changes. */
export function useLetterKeys(): boolean {
  return useSyncExternalStore(subscribe, hasLetterKeys);
}

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange);
  // Another tab has changed the choice.
  addEventListener("storage", onChange);
  return () => {
    removeEventListener(CHANGED, onChange);
    removeEventListener("storage", onChange);
  };
}
