/** Names that editors and systems leave behind: no content, wherever they lie. */
const foreignNames = [
  /^\./,
  /^#.*#$/,
  /~$/,
  /\.(sw[a-z]|tmp|temp|bak|orig|rej|part|crdownload)$/i,
  /^(thumbs\.db|ehthumbs\.db|desktop\.ini|__macosx|node_modules|4913)$/i,
  /___jb_(tmp|old)___$/,
]

/** Whether a file or folder of this name is none of ours: `.DS_Store`, `Thumbs.db`, `course.yaml~`, `.git` ... */
export function isForeign(name: string): boolean {
  return foreignNames.some((pattern) => pattern.test(name))
}

/** The same for a path: one foreign part is enough. */
export function isForeignPath(file: string): boolean {
  return file.split(/[\\/]/).some(isForeign)
}
