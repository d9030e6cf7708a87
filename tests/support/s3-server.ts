import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Keys = { accessKeyId: string; secretAccessKey: string; region: string }

const algorithm = 'AWS4-HMAC-SHA256'
const requiredHeaders = ['host', 'x-amz-content-sha256', 'x-amz-date']
const maxClockDifferenceMs = 60_000

type StoredObject = { bytes: Buffer; type: string | undefined }

/**
 * Starts an S3-compatible server with one bucket, `bucket`. It verifies the AWS Signature Version 4
 * of each request and shares no code with the product. The reference is
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
 */
export async function startS3Server(keys: Keys) {
  const objects = new Map<string, StoredObject>()
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (!isSigned(request, body, keys)) {
      return response.writeHead(403).end()
    }

    if (pathname === '/bucket') {
      return response.end()
    }

    if (!pathname.startsWith('/bucket/')) {
      return response.writeHead(404).end()
    }

    return handleObjectRequest(objects, pathname, request, response, body)
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    stop: () => server.close(),
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) {
    chunks.push(chunk as Buffer)
  }

  return Buffer.concat(chunks)
}

/** Stores, deletes or returns an object. */
function handleObjectRequest(
  objects: Map<string, StoredObject>,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) {
  if (request.method === 'PUT') {
    objects.set(pathname, { bytes: body, type: request.headers['content-type'] })
  }

  if (request.method === 'DELETE') {
    return response.writeHead(objects.delete(pathname) ? 204 : 404).end()
  }

  const object = objects.get(pathname)
  if (!object) {
    return response.writeHead(404).end()
  }

  return response.end(request.method === 'GET' ? object.bytes : '')
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

function isSigned({ method, url, headers }: IncomingMessage, body: Buffer, keys: Keys): boolean {
  const timestamp = String(headers['x-amz-date'])
  const scope = `${timestamp.slice(0, 8)}/${keys.region}/s3/aws4_request`
  const authorization = String(headers.authorization)
  const signedHeaders = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? ''
  const headerNames = signedHeaders.split(';')

  const canonicalRequest = [
    method,
    url,
    '',
    ...headerNames.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const stringToSign = [algorithm, timestamp, scope, sha256(canonicalRequest)].join('\n')
  const signingKey = scope
    .split('/')
    .reduce<string | Buffer>(
      (key, scopePart) => hmac(key, scopePart),
      `AWS4${keys.secretAccessKey}`,
    )
  const signature = hmac(signingKey, stringToSign).toString('hex')

  return (
    isRecent(timestamp) &&
    requiredHeaders.every((name) => headerNames.includes(name)) &&
    authorization.includes(`Credential=${keys.accessKeyId}/${scope},`) &&
    authorization.endsWith(`Signature=${signature}`)
  )
}

/** @param timestamp a time such as 20261128T120000Z */
function isRecent(timestamp: string): boolean {
  const isoTime = timestamp.replace(
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  )
  return Math.abs(Date.now() - Date.parse(isoTime)) < maxClockDifferenceMs
}
