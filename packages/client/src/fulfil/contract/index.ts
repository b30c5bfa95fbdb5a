export { fulfilmentStoreContract, type OpenFulfilmentStore } from "./fulfilment-store-contract.js";
