/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Of which version the scripts are. */
  readonly ASSAY_VERSION: string
}
