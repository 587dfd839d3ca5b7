export { StoreError } from './errors.ts'
export { openStore, type Store, type StoreConfig } from './store.ts'
