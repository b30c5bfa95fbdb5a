import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isSessionFailure } from "../api/api-error.js";
import { SESSION_KEY } from "../api/use-reload.js";

/** How often a read that did not reach the server is repeated. */
const RETRIES = 2;

/**
 * Creates what stores the answers. If the session has ended, the page asks who the operator is.
 *
 * Nothing waits for a connection: a request goes out at once or fails at once.
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
      // A step is repeated only by the operator.
      mutations: { networkMode: "always", retry: false },
    },
  });
  return client;
}
