import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { newChangeId } from "./change-id.js";
import { addressOf, CHANGE_TIMEOUT, sendRequest } from "./request.js";
import type { Answer, AnyParameters, Body, Parameters, StepPath } from "./routes.js";

/**
 * Returns a step of signing in or out, or a check that changes nothing.
 *
 * A lost answer needs no handling, because the person takes the step again.
 */
export function useStep<M extends "post" | "delete", Path extends StepPath<M>>(
  method: M,
  path: Path,
  parameters: Parameters<Path, M> & AnyParameters,
): UseMutationResult<Answer<Path, M>, Error, Body<Path, M>> {
  const view = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    view.current = controller;
    return () => controller.abort();
  }, []);
  return useMutation({
    mutationFn: (body: Body<Path, M>) =>
      sendRequest<Answer<Path, M>>({
        method: method === "post" ? "POST" : "DELETE",
        address: addressOf(path, parameters),
        timeout: CHANGE_TIMEOUT,
        body: JSON.stringify(body),
        // Steps that change the password or the second factor need an id. A repeated step has
        // another id.
        headers: { "x-change-id": newChangeId() },
        ...(view.current !== undefined && { signal: view.current.signal }),
      }),
  });
}
