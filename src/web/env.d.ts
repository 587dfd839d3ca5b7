/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Of which version the scripts are. */
  readonly ASSAY_VERSION: string
}

/** Address of the sheet of one page (`vite.config.ts`). */
declare module 'virtual:sheet/*' {
  const address: string
  export default address
}
