/** Who asks, proved. `id`: subject of the identity provider, or a main-network Stacks address. */
export type Person = {
  readonly kind: 'account' | 'wallet'
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly scopes: ReadonlySet<string>
  /** How it was proved in this request. */
  readonly via: 'token' | 'wallet' | 'key'
}
/** What a person may use, by name. `dashboard`, `query` and `bitcoin` are known here; further names pass through. */
export type Features = Readonly<Record<string, boolean>>
export const hasFeatures = (features: Features): boolean => Object.values(features).includes(true)
