export { type BatchFamily, type ChainOfFamily, isLiveSql, ofChainSql, rowsOfChain } from './batchFamily.ts'
export { BASE_DATABASE } from './ddl.ts'
export { columnsOfRows, encodeNative } from './encode.ts'
export { confinementSentence } from './engine/confinement.ts'
export { decompressed } from './engine/decompressed.ts'
export { type UserChoice, userSentence } from './engine/user.ts'
export { isEngineAway, WarehouseError } from './errors.ts'
export { BATCH_FAMILIES, BITCOIN, EVM, STACKS, STACKS_BURN } from './families.ts'
export { type FileFormat, fileSettings } from './fileFormats.ts'
export { type FileReader, type FileReaderConfig, openFileReader } from './fileReader.ts'
export { isEngineFull, whenThereIsRoom } from './fullEngine.ts'
export { OPEN_FUNCTIONS } from './gate/index.ts'
export { asKnownOn, asKnownToday, knownNow, knownOn } from './knownOn.ts'
export type { Migration } from './migrate.ts'
export { QUOTA_KEY, quotaDdl, quotaKeyOf } from './peopleQuota.ts'
export { type Schema, schemaOf } from './schema.ts'
export { columnType, sqlColumns, sqlString } from './types.ts'
export { UPLOAD_ROLE, type UploadAccess, uploadRoleOf } from './uploadAccess.ts'
export { committedView, plainView, type View, view } from './view.ts'
export {
  type Health,
  inputsOf,
  type Memory,
  openWarehouse,
  type StatementProgress,
  type Warehouse,
  type WarehouseConfig,
} from './warehouse.ts'
