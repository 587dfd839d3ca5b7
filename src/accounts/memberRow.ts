/** An account of the embedded provider. */
export type Member = {
  readonly id: string
  readonly email: string
  readonly isEmailProved: boolean
  readonly name: string
  readonly createdAt: Date
  /** Rises with each event that ends all access to the account; sessions, tokens and keys of an earlier one are refused. */
  readonly signInVersion: number
}

/** A row of `assay.accounts`. */
export type MemberRow = {
  readonly id: string
  readonly email: string
  readonly email_proved_at: Date | null
  readonly name: string
  readonly password_hash: string
  readonly created_at: Date
  readonly sign_in_version: number
}

export const toMember = (row: MemberRow | undefined): Member | undefined =>
  row && {
    id: row.id,
    email: row.email,
    isEmailProved: row.email_proved_at !== null,
    name: row.name,
    createdAt: row.created_at,
    signInVersion: row.sign_in_version,
  }
