import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'

export type TypeCheck = Disposable & {
  /** Whether the module has no type error with this text. Nothing is written. */
  accepts(file: string, text: string): boolean
}

/** Opens the type checker on the project at the root; undefined where the root has no `tsconfig.json`. */
export function openTypeCheck(root: string): TypeCheck | undefined {
  const config = join(root, 'tsconfig.json')
  if (!existsSync(config)) return undefined
  let changed: { readonly path: string; readonly text: string } | undefined
  const api = new API({
    cwd: root,
    fs: { readFile: path => (path === changed?.path ? changed.text : undefined) },
  })
  api.updateSnapshot({ openProjects: [config] })
  return {
    accepts(file, text) {
      const before = changed?.path
      const path = join(root, file)
      changed = { path, text }
      using snapshot = api.updateSnapshot({
        fileChanges: { changed: before === undefined || before === path ? [path] : [before, path] },
      })
      const program = snapshot.getProject(config)?.program
      return program === undefined || program.getSemanticDiagnostics(path).length === 0
    },
    [Symbol.dispose]: () => api.close(),
  }
}
