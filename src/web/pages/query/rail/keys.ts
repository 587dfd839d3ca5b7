/** Keys of lines that open, the same in the list that the server draws and in the tree. */
export const groupKey = (title: string): string => `group ${title}`
export const tableKey = (name: string): string => `table ${name}`
