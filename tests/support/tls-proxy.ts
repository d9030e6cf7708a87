import { Agent, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSignedCertificate } from './self-signed-certificate'

/**
 * Starts a TLS proxy with a self-signed certificate, which distributes the requests over the
 * product's processes in turn.
 *
 * @param host the host name in the certificate
 */
export async function startTlsProxy(host: string) {
  const { key, cert } = selfSignedCertificate(host)
  const agent = new Agent({ keepAlive: true })
  const proxy = {
    port: 0,
    /** The ports of the processes on loopback. */
    upstreamPorts: [] as number[],
    /** For each request, the port of the process that received it. */
    handledBy: [] as number[],
    /**
     * False imitates nginx's plain `proxy_pass`, which replaces the Host and adds no other header.
     */
    shouldForwardHost: true,
    stop() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
  const server = createServer({ key, cert }, (request, response) => {
    const port = proxy.upstreamPorts[proxy.handledBy.length % proxy.upstreamPorts.length] ?? 0
    proxy.handledBy.push(port)
    forwardRequest(request, response, {
      port,
      agent,
      headers: createForwardedHeaders(request, port, proxy.shouldForwardHost),
    })
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.port = (server.address() as AddressInfo).port

  return proxy
}

/** Sets the headers that `docs/examples/nginx.conf` sets. */
function createForwardedHeaders(
  { headers, socket }: IncomingMessage,
  port: number,
  shouldForwardHost: boolean,
) {
  if (!shouldForwardHost) {
    return { ...headers, host: `127.0.0.1:${port}` }
  }

  const client = socket.remoteAddress ?? ''
  const forwardedFor = headers['x-forwarded-for']
    ? `${headers['x-forwarded-for']}, ${client}`
    : client

  return { ...headers, 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': 'https' }
}

type Upstream = { port: number; agent: Agent; headers: IncomingMessage['headers'] }

function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
): void {
  const { method, url: path } = request
  const upstreamRequest = sendRequest(
    { host: '127.0.0.1', method, path, ...upstream },
    (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.rawHeaders)
      upstreamResponse.pipe(response)
    },
  )
  upstreamRequest.once('error', () => {
    if (response.headersSent) {
      response.destroy()
    } else {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
    }
  })

  response.once('close', () => upstreamRequest.destroy())
  request.pipe(upstreamRequest)
}
