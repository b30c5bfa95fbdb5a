import { type QueryKey, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useContext } from "react";
import { useLanguage } from "../language/language.js";
import { SessionContext } from "../session/session-context.js";
import { attendanceHeaders } from "./attendance.js";
import { addressOf, READ_TIMEOUT, sendRequest } from "./request.js";
import type { Answer, AnyParameters, Parameters, ReadPath } from "./routes.js";

/** How a view reads. */
export interface ReadOptions {
  /** Loads the answer again after this many milliseconds, while the page is visible. */
  readonly interval?: number;
  /** Shows the previous answer, dimmed, until the answer for new parameters arrives. For lists. */
  readonly keepsPrevious?: boolean;
  /** Whether to load now. If false, the view loads with `refetch`. Defaults to true. */
  readonly isEnabled?: boolean;
  /** Whether the answer stays valid until the page replaces it, in every language. */
  readonly isConstant?: boolean;
}

/** Returns what identifies a read in the store of answers. */
export function readKey(path: ReadPath, parameters: AnyParameters, language = "", operator = ""): QueryKey {
  return [path, parameters, language, operator];
}

/**
 * Reads a path of the operator API. The only way for a view to read.
 *
 * A read has a time-out, is aborted when its view closes, and loads again after every change. Its
 * texts are in the language of the page.
 *
 * @example
 * ```ts
 * const query = useRead("/api/orders/{appId}/{bizNo}", { path: { appId, bizNo } });
 * ```
 */
export function useRead<Path extends ReadPath>(
  path: Path,
  parameters: Parameters<Path, "get"> & AnyParameters,
  options: ReadOptions = {},
): UseQueryResult<Answer<Path, "get">> {
  const { interval = false, keepsPrevious = false, isEnabled = true, isConstant = false } = options;
  const language = useLanguage();
  // An operator must never see the answers that another operator has received in this tab.
  const operator = useContext(SessionContext)?.operator?.name;
  const queryKey = isConstant ? readKey(path, parameters) : readKey(path, parameters, language, operator);
  return useQuery<Answer<Path, "get">>({
    queryKey,
    queryFn: ({ signal }) => {
      const address = addressOf(path, parameters);
      return sendRequest({
        method: "GET",
        address,
        timeout: READ_TIMEOUT,
        headers: attendanceHeaders(),
        signal,
      });
    },
    enabled: isEnabled,
    refetchInterval: interval,
    ...(isConstant && { staleTime: Infinity }),
    // The content of one order must never be shown under the address of another order.
    placeholderData: (previous, query) =>
      keepsPrevious || isOtherLanguage(query?.queryKey, queryKey) ? previous : undefined,
  });
}

function isOtherLanguage(left: QueryKey | undefined, right: QueryKey): boolean {
  const withoutLanguage = ([path, parameters, , operator]: QueryKey) =>
    JSON.stringify([path, parameters, operator]);
  return left !== undefined && withoutLanguage(left) === withoutLanguage(right);
}
