/** Receives events of one type. */
interface Receiver<N> {
  notice(notice: N): void;
}

/** Emits an event to the observer. Ignores an error that the observer throws. */
export function tell<N>({ observer }: { readonly observer: Receiver<N> }, notice: NoInfer<N>): void {
  try {
    observer.notice(notice);
  } catch {
    // The change is already stored; the observer is only informed.
  }
}
