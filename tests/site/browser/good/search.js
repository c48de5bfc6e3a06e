window.searchIndex = [{ page: "lessons/lesson05/index.html", title: "Streams", text: "cudaMemcpyAsync overlap pinned" }];
