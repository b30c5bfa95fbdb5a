/** Receives notices of one type. */
interface Receiver<N> {
  notice(notice: N): void;
}

/** Passes `notice` to the observer. An observer that throws changes nothing. */
export function tell<N>({ observer }: { readonly observer: Receiver<N> }, notice: NoInfer<N>): void {
  try {
    observer.notice(notice);
  } catch {
    // The change is stored already, and the observer is only informed of it.
  }
}
