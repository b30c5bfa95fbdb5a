import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";

/** Whether a component is a part of a dialog. */
export const InDialogContext = createContext(false);

let openDialogs = 0;
const listeners = new Set<() => void>();

function count(by: 1 | -1): void {
  openDialogs += by;
  for (const listener of listeners) listener();
}

/** Returns whether a dialog is open. */
export function isDialogOpen(): boolean {
  return openDialogs > 0;
}

/** Counts a dialog while it is open. */
export function useOpenDialog(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    count(1);
    return () => count(-1);
  }, [isOpen]);
}

/**
 * Returns `value`. Below an open dialog, returns the value from when the dialog opened.
 *
 * The rows below a dialog then stay as the operator saw them. Otherwise a dialog would close, with
 * the text and the refusal in it, as soon as its row left the list.
 */
export function useHeldWhileOpen<T>(value: T): T {
  const isInside = useContext(InDialogContext);
  const isBelow = useSyncExternalStore(onOpenDialogs, isDialogOpen) && !isInside;
  const [held, setHeld] = useState<{ readonly value: T }>();
  if (isBelow && held === undefined) setHeld({ value });
  if (!isBelow && held !== undefined) setHeld(undefined);
  return isBelow && held !== undefined ? held.value : value;
}

function onOpenDialogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
