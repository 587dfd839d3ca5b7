export {
  EXPLAIN,
  formatNamed,
  formattingOf,
  gate,
  MAX_FORMATTING_BYTES,
  placesShiftedBack,
  READ_ONLY,
  readFormatting,
  refusalOfParameters,
} from './gate.ts'
export { OPEN_FUNCTIONS } from './names.ts'
export { isReadingTree } from './tree.ts'
