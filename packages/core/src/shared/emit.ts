/** Receives events of one type. */
interface Receiver<N> {
  onEvent(event: N): void;
}

/** Emits an event to the observer. Ignores an error that the observer throws. */
export function emit<N>({ observer }: { readonly observer: Receiver<N> }, event: NoInfer<N>): void {
  try {
    observer.onEvent(event);
  } catch {
    // The change is already stored; the observer is only informed.
  }
}
