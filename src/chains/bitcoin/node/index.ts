export { isPassing, NodeError } from '../../node/errors.ts'
export {
  type BlkChain,
  type BlkSet,
  type FileDefect,
  openBlkSet,
  type StaleInFiles,
  type Unplaced,
} from './blkSource.ts'
export { HEADER_BYTES, type Header, readHeader, workOfBits } from './header.ts'
export { NETWORK_MARKS, networkBy } from './networks.ts'
export { createRestSource, type RestConfig } from './restSource.ts'
export { createRpcSource, type RpcSource } from './rpcSource.ts'
export type { BlockRef, BlockSource, RawBlock } from './source.ts'
