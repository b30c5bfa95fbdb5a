import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { addressOf, loadFile } from "./request.js";

/** The filter of a list. */
export type FileQuery = Readonly<Record<string, string | undefined>>;

/**
 * Loads a file of the operator API, such as `/api/orders.csv`, when its `mutate` is called.
 *
 * The loading is aborted when its view closes. The whole file is loaded before `onLoaded` is
 * called.
 */
export function useFile(
  path: string,
  onLoaded: (file: Blob) => void,
): UseMutationResult<void, Error, FileQuery> {
  const view = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    view.current = controller;
    return () => controller.abort();
  }, []);
  return useMutation({
    mutationFn: async (query: FileQuery) => {
      const { signal } = view.current ?? new AbortController();
      onLoaded(await loadFile(addressOf(path, { query }), signal));
    },
  });
}
