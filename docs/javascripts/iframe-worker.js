// Search in a site that is opened from disk: browsers refuse workers there, so the worker's script runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...urls) => Promise.all(urls.map(one => load(inside, one)))
      this.ready = load(inside, url)
    }

    async postMessage(data) {
      await this.ready
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }))
    }

    terminate() {
      this.frame.remove()
    }
  }

  function load(inside, url) {
    const script = inside.document.createElement("script")
    script.src = url
    return new Promise((loaded, failed) => {
      script.onload = loaded
      script.onerror = failed
      inside.document.body.append(script)
    })
  }
}
