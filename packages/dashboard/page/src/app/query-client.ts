import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isSessionFailure } from "../api/api-error.js";
import { SESSION_KEY } from "../api/use-reload.js";

/** How often a read that did not reach the server is repeated. */
const RETRIES = 2;

/**
 * Creates the store of answers. If the session has ended, the page loads the session again.
 *
 * Requests do not wait for a connection: they are sent at once or fail at once.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (isSessionFailure(error)) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: "always",
        refetchOnReconnect: false,
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < RETRIES && error instanceof ApiError && error.failure === "unreachable",
      },
      // Only the operator repeats a step.
      mutations: { networkMode: "always", retry: false },
    },
  });
  return client;
}
