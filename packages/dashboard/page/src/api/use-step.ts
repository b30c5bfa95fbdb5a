import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { newChangeId } from "./change-id.js";
import { addressOf, CHANGE_TIMEOUT, sendRequest } from "./request.js";
import type { Answer, AnyParameters, Body, Parameters, StepPath } from "./routes.js";

type Step<M extends "post" | "delete", Path extends StepPath<M>> = UseMutationResult<
  Answer<Path, M>,
  Error,
  Body<Path, M>
>;

/**
 * Returns a step of signing in or out.
 *
 * A lost answer needs no handling, because the person takes the step again. A second press while
 * the step is under way sends nothing: the server accepts a code of the second factor only once.
 */
export function useStep<M extends "post" | "delete", Path extends StepPath<M>>(
  method: M,
  path: Path,
  parameters: Parameters<Path, M> & AnyParameters,
): Step<M, Path> {
  const isUnderWay = useRef(false);
  const step = useRequest(method, path, parameters, () => {
    isUnderWay.current = false;
  });
  const { mutate: send } = step;
  const mutate: typeof send = useCallback(
    (...asked) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      send(...asked);
    },
    [send],
  );
  return { ...step, mutate };
}

/** Returns a check that changes nothing. Its `data` is the answer to the last press. */
export function useCheck<Path extends StepPath>(
  path: Path,
  parameters: Parameters<Path, "post"> & AnyParameters,
): Step<"post", Path> {
  return useRequest("post", path, parameters);
}

function useRequest<M extends "post" | "delete", Path extends StepPath<M>>(
  method: M,
  path: Path,
  parameters: Parameters<Path, M> & AnyParameters,
  onEnd?: () => void,
): Step<M, Path> {
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
    ...(onEnd !== undefined && { onSettled: onEnd }),
  });
}
