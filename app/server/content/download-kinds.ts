/** Allowed downloads: the displayed kind by extension. Text files must be text; others are checked by their first bytes. */
const kinds = {
  pdf: { name: 'PDF', starts: ['%PDF-'] },
  zip: { name: 'ZIP archive', starts: ['PK\x03\x04'] },
  docx: { name: 'Word document', starts: ['PK\x03\x04'] },
  pptx: { name: 'PowerPoint slides', starts: ['PK\x03\x04'] },
  xlsx: { name: 'Excel workbook', starts: ['PK\x03\x04'] },
  jpg: { name: 'JPEG picture', starts: ['\xff\xd8\xff'] },
  png: { name: 'PNG picture', starts: ['\x89PNG'] },
  webp: { name: 'WebP picture', starts: ['RIFF'] },
  css: { name: 'CSS' },
  csv: { name: 'CSV data' },
  html: { name: 'HTML' },
  ipynb: { name: 'Jupyter notebook' },
  js: { name: 'JavaScript' },
  json: { name: 'JSON data' },
  md: { name: 'Markdown' },
  py: { name: 'Python' },
  sh: { name: 'Shell script' },
  sql: { name: 'SQL' },
  svg: { name: 'SVG drawing' },
  ts: { name: 'TypeScript' },
  tsv: { name: 'TSV data' },
  txt: { name: 'Text' },
  xml: { name: 'XML' },
  yaml: { name: 'YAML' },
} satisfies Record<string, { name: string; starts?: string[] }>

type Extension = keyof typeof kinds

export const downloadExtensions = Object.keys(kinds) as Extension[]

/** A plain name, which needs no escaping in a header or an address. */
export const downloadName = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)*\\.(?:${downloadExtensions.join('|')})$`,
)

/** So that a slow connection and a small disk hold them; `docs/content.md` names the limit. */
export const maxDownloadBytes = 20_000_000

export function kindOfDownload(file: string): { name: string; starts?: string[] } {
  return kinds[file.slice(file.lastIndexOf('.') + 1) as Extension]
}

/**
 * The `Content-Type` of a download. Browsers save it because of `Content-Disposition`. Active content (HTML, SVG, scripts) is
 * also sent as plain text, in case a browser ignores that header.
 */
export function typeOfDownload(file: string): string {
  if (file.endsWith('.pdf')) return 'application/pdf'
  return kindOfDownload(file).starts ? 'application/octet-stream' : 'text/plain; charset=utf-8'
}
