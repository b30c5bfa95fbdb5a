import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "./failure.js";
import { UI_TEXTS } from "./messages.js";
import { useHeldWhileOpen } from "./open-dialogs.js";

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (value: T) => ReactNode;
}

/**
 * The content of a query. While it loads again, the old content stays, dimmed.
 *
 * The content below an open dialog stays as the operator saw it.
 */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const texts = useTexts(UI_TEXTS);
  const { data: newest, error, isPlaceholderData, isPending, refetch } = query;
  const data = useHeldWhileOpen(newest) ?? newest;
  return (
    <div
      className={isPlaceholderData ? "loaded dimmed" : "loaded"}
      aria-busy={isPending || isPlaceholderData}
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? isPending && <p className="muted">{texts.loading}…</p> : children(data)}
    </div>
  );
}
