import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTexts } from "../language/catalogue.js";
import { Failure } from "./failure.js";
import { UI_TEXTS } from "./messages.js";

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (value: T) => ReactNode;
}

/** The content of a query. While it loads again, the old content stays, dimmed. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const texts = useTexts(UI_TEXTS);
  const { data, error, isPlaceholderData, isPending, refetch } = query;
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
