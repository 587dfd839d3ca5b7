import { type ClarityValue, reprOf } from '#chains/stacks/index.ts'
import type { ClarityKind } from '#kernel/stacks.ts'

/** A value at the end of a path of fields, as the tables hold it. */
export type Leaf = {
  readonly path: string
  readonly type: ClarityKind
  /** Of a uint, of an int from 0 on, 1 or 0 of a bool. */
  readonly uintValue: bigint | null
  /** Principal, text, or bytes as `0x…`. */
  readonly textValue: string
  readonly repr: string
}

/**
 * The leaves of a value: tuples are taken apart, optionals and responses opened. A list is one leaf: positions in it are no
 * names. An empty optional is of type `none`.
 */
export function leavesOf(value: ClarityValue): Leaf[] {
  const leaves: Leaf[] = []
  addLeaves(value, '', leaves)
  return leaves
}

function addLeaves(value: ClarityValue, path: string, leaves: Leaf[]): void {
  switch (value.type) {
    case 'tuple':
      for (const field of value.fields)
        addLeaves(field.value, path === '' ? field.name : `${path}.${field.name}`, leaves)
      return
    case 'optional':
      if (value.value === null) leaves.push(leaf(path, 'none', value))
      else addLeaves(value.value, path, leaves)
      return
    case 'response':
      addLeaves(value.value, path, leaves)
      return
    case 'uint':
      leaves.push(leaf(path, 'uint', value, value.value))
      return
    case 'int':
      leaves.push(leaf(path, 'int', value, value.value < 0n ? null : value.value))
      return
    case 'bool':
      leaves.push(leaf(path, 'bool', value, value.value ? 1n : 0n))
      return
    case 'principal':
    case 'string-ascii':
    case 'string-utf8':
      leaves.push(leaf(path, value.type, value, null, value.value))
      return
    case 'buffer': {
      const repr = reprOf(value)
      leaves.push({ path, type: 'buffer', uintValue: null, textValue: repr, repr })
      return
    }
    case 'list':
      leaves.push(leaf(path, 'list', value))
  }
}

const leaf = (
  path: string,
  type: ClarityKind,
  value: ClarityValue,
  uintValue: bigint | null = null,
  textValue = '',
): Leaf => ({ path, type, uintValue, textValue, repr: reprOf(value) })

/** The first of these fields that a leaf has. */
export function firstLeaf(leaves: readonly Leaf[], ...paths: readonly string[]): Leaf | undefined {
  for (const path of paths) {
    const found = leaves.find(one => one.path === path && one.type !== 'none')
    if (found !== undefined) return found
  }
  return undefined
}
